"""The differences of two versions in, what of them a person would call a change out (Q1, Q2).

Every rule looks at objects that differ, never at the whole page, and what a rule leaves out bears its reason.
"""
