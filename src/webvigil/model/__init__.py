"""The nouns that all packages share: frozen values without behaviour beyond their own arithmetic."""
