"""What a page did so far in, the time of the next look out.

`policy` holds the promise that `naive`, `ideal`, `bea` and `learned` keep; `pacing` applies one of them to a
page. `budget`, `hints` and `steering` say what a look is worth; `simulate` plays the policies against pages
whose changes are known.
"""
