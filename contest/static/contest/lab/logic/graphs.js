// Constraint graphs: edges {one, other, weight} that point to one of their ends, and vertices that need an inflow of 2.
// The twin of solvers/logic/constraint_graphs.py, tested with the same cases. A configuration is a list of heads.

export const RED = 1;
export const BLUE = 2;
export const LEAST = 2;

export class Graph {
  constructor(vertices, edges) {
    this.vertices = vertices;
    this.edges = edges;
    this.at = Array.from({ length: vertices }, () => []);
    edges.forEach(({ one, other }, number) => new Set([one, other]).forEach((end) => this.at[end].push(number)));
  }

  otherEnd(number, vertex) {
    const { one, other } = this.edges[number];
    return one + other - vertex;
  }

  inflow(heads, vertex) {
    return this.at[vertex].filter((number) => heads[number] === vertex).reduce((sum, at) => sum + this.edges[at].weight, 0);
  }

  /** What the vertex that the edge *number* points to would have without it. */
  leftWithout(heads, number) {
    return this.inflow(heads, heads[number]) - this.edges[number].weight;
  }

  /** The configuration after the edge *number* is turned, or null where its head would get too little. */
  turned(heads, number) {
    if (this.leftWithout(heads, number) < LEAST) return null;
    return heads.map((head, at) => (at === number ? this.otherEnd(number, head) : head));
  }
}
