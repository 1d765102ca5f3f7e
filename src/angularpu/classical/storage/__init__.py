"""What a classical method has learnt, as arrays and a little JSON: a closed list of kinds, one file each.

Nothing that is read is trusted: fields, shapes and every number are checked before a classifier is made of them.
"""
