"""Player activity outside a round: `opinions` of levels · `talk` with organisers · `practice` after the close."""
