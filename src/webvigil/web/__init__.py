"""HTTP requests in, answers of the REST API and pages of the dashboard out."""
