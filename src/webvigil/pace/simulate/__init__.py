"""A page whose changes are known and a policy in, what the policy caught and at what cost out."""
