"""The demo: a corpus of composed pages with weeks of work behind it, and ten older pages to practise on."""
