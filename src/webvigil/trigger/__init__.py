"""Findings in, a yes or no and a score out: is it worth telling?"""
