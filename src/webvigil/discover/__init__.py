"""Seeds and a service class in, discovered form services with their capability profiles out."""
