"""The page that somebody names in, its versions out: kept, compared, displayed, proved and collected."""
