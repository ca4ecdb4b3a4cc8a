"""The nouns everybody shares: frozen values, no behaviour beyond their own arithmetic."""
