// Where the vertices and edges of a formula's graph are drawn: the twin of solvers/logic/placing.py, tested with the same
// cases: in layers, from the variables down to the goal.

import { RED } from "./graphs.js";

const SWEEPS = 8;
const SETTLINGS = 12;

/** {width, height, vertices: Map, lines: Map, fed: Set}: points in units from the top left; a line begins where it is fed. */
export function placed(graph) {
  const { hidden, fed } = withoutFeeding(graph);
  const vertices = [...Array(graph.vertices).keys()].filter((vertex) => !hidden.has(vertex));
  const drawn = [...graph.edges.entries()].filter(([, { one, other }]) => !hidden.has(one) && !hidden.has(other));
  const nodes = new Map();
  for (const vertex of vertices) {
    const above = drawn.filter(([, { one, other }]) => one === vertex && other < vertex).map(([, { other }]) => other);
    // Of two edges from one vertex each bends in a layer between: else one would lie on the other.
    const behind = above.map((other, at) => nodes.get(other).layer + (above.indexOf(other) < at ? 2 : 1));
    nodes.set(vertex, nodeIn(Math.max(0, ...behind)));
  }
  const height = Math.max(...[...nodes.values()].map(({ layer }) => layer));
  const layers = Array.from({ length: height + 1 }, () => []);
  for (const node of nodes.values()) layers[node.layer].push(node);
  const ways = new Map();
  for (const [number, { one, other }] of drawn) {
    const [upper, lower] = [Math.min(one, other), Math.max(one, other)];
    const way = [nodes.get(upper)];
    for (let layer = way[0].layer + 1; layer < nodes.get(lower).layer; layer++) {
      way.push(nodeIn(layer));
      layers[layer].push(way.at(-1));
    }
    way.push(nodes.get(lower));
    for (let at = 1; at < way.length; at++) {
      way[at - 1].below.push(way[at]);
      way[at].above.push(way[at - 1]);
    }
    ways.set(number, other === upper ? way : [...way].reverse());
  }
  arrange(layers);
  const all = layers.flat().map(({ x }) => x);
  const left = Math.min(...all);
  const point = ({ x, layer }) => [rounded(x - left), layer];
  return {
    width: rounded(Math.max(...all) - left),
    height,
    vertices: new Map(vertices.map((vertex) => [vertex, point(nodes.get(vertex))])),
    lines: new Map([...ways].map(([number, way]) => [number, way.map(point)])),
    fed,
  };
}

const nodeIn = (layer) => ({ layer, x: 0, above: [], below: [] });
const rounded = (number) => Math.round(number * 1000) / 1000;

/** The vertices that only feed, and those that they feed: two edges there and back are an edge for ever. */
function withoutFeeding(graph) {
  const hidden = new Set();
  const fed = new Set();
  graph.at.forEach((numbers, vertex) => {
    const [there, back] = numbers.map((number) => graph.edges[number]);
    if (numbers.length !== 2 || there.one !== back.other || there.other !== back.one) return;
    const giving = graph.otherEnd(numbers[0], vertex);
    hidden.add(vertex);
    for (const number of graph.at[giving]) {
      if (graph.edges[number].weight !== RED) continue;
      hidden.add(giving);
      fed.add(graph.otherEnd(number, giving));
    }
  });
  return { hidden, fed };
}

function arrange(layers) {
  layers.forEach(spread);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) {
      const middles = new Map(layer.map((node) => [node, middle(node, isDown ? node.above : node.below)]));
      layer.sort((one, other) => middles.get(one) - middles.get(other));
      spread(layer);
    }
  }
  for (let settling = 0; settling < SETTLINGS; settling++) layers.forEach(settle);
}

function spread(layer) {
  layer.forEach((node, at) => {
    node.x = at - (layer.length - 1) / 2;
  });
}

function middle(node, neighbours) {
  return neighbours.length ? neighbours.reduce((sum, { x }) => sum + x, 0) / neighbours.length : node.x;
}

/** Move the nodes towards the middle of their neighbours as far as their order and distance allow. */
function settle(layer) {
  const wanted = layer.map((node) => middle(node, [...node.above, ...node.below]));
  const rightward = [...wanted];
  const leftward = [...wanted];
  for (let at = 1; at < layer.length; at++) rightward[at] = Math.max(rightward[at], rightward[at - 1] + 1);
  for (let at = layer.length - 2; at >= 0; at--) leftward[at] = Math.min(leftward[at], leftward[at + 1] - 1);
  layer.forEach((node, at) => {
    node.x = (rightward[at] + leftward[at]) / 2;
  });
}
