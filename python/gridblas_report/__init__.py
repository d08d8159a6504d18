"""A page of the results of `gridblas --json`: one self-contained HTML file with plots by matplotlib, and the plots as PNG and SVG.

`gridblas report` runs this; by hand: python3 -m gridblas_report RESULT.json... -o report.html. It needs neither the library nor the package gridblas.
"""
