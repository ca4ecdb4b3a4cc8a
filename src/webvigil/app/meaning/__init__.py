"""Changes that depend on what they mean in, questions to a language model and what they decide out."""
