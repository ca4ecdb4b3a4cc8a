"""What a page did so far in, the time of the next look out.

`policy` holds the promise that `naive`, `ideal`, `bea` and `learned` keep; `budget` and `hints` say what a
look is worth; `simulate` plays the policies against pages whose changes are known.
"""
