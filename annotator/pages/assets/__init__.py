"""Style sheets and images captured with a page: kept as captured, served as made anew in a worker."""
