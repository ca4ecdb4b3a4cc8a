"""The community as the settings describe it in, peers and personal agents at work out."""
