"""What two versions differ in, in; what of it a person would call a change, out. It never depends on history
(Q1, Q2).

Every rule looks at objects that differ, never at the whole page, and what a rule leaves out bears its reason.
"""
