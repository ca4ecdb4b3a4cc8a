"""Seeds and a service class in, form services with capability profiles out."""
