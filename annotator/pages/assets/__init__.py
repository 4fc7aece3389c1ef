"""Style sheets and images captured with a page: kept as captured, served as a worker made them again."""
