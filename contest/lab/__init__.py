"""What the lab's pages ask a worker: `strict`, shortest ways of Klotski where every piece has its own place."""
