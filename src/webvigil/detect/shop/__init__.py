"""A page in, the products out that it offers: their names, prices and availability.

Shops describe their products for programs in several ways. `linked` and `marked` read each way into the same
form, that of JSON-LD; `offers` understands it; `products` chooses what the page is about, and fills in from
the page itself (`shown`) what the data leave out.
"""
