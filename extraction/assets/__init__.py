"""Style sheets and images captured with pages: hostile bytes, read in a child process and made again."""
