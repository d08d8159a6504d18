gridblas: d.pages: cannot open: No such file or directory
