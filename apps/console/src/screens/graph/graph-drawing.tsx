import type { GraphEdge, GraphNode } from '@cairn/sdk';
import { MultiGraph } from 'graphology';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Sigma } from 'sigma';
import { words } from '../../words/graph.ts';
import { colourOf, placeNodes } from './place-nodes.ts';

/** Names and the links among them; with places where the memory has them. */
export interface GraphLayout {
  nodes: readonly (Omit<GraphNode, 'attributes'> & { x?: number | null; y?: number | null })[];
  edges: readonly GraphEdge[];
}

interface PictureProps {
  graph: GraphLayout;
  onName: (entityId: string) => void;
  onLink: (source: string, target: string) => void;
}

const SMALLEST = 4;
const LARGEST = 16;
/** Pixels from which names are drawn in full size. */
const WIDE = 800;

const DARK = matchMedia('(prefers-color-scheme: dark)');

function onScheme(changed: () => void): () => void {
  DARK.addEventListener('change', changed);
  return () => DARK.removeEventListener('change', changed);
}

/** Colour is the community, size the centrality. It shows nothing that the table below does not have. */
export function GraphDrawing({ graph, onName, onLink }: PictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const acts = useRef({ onName, onLink });
  const [failed, setFailed] = useState(false);
  const isDark = useSyncExternalStore(onScheme, () => DARK.matches);
  useEffect(() => {
    acts.current = { onName, onLink };
  });
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const scale = Math.min(1, box.current!.clientWidth / WIDE);
    const drawn = drawable(graph, style.getPropertyValue('--quiet').trim(), scale);
    let sigma: Sigma;
    try {
      sigma = new Sigma(drawn, box.current!, {
        // A box that is hidden or on its way out has no width for a moment.
        allowInvalidContainer: true,
        enableEdgeEvents: true,
        labelColor: { color: style.getPropertyValue('--ink').trim() },
        labelDensity: 0.6,
        labelRenderedSizeThreshold: 5,
        zIndex: true,
      });
    } catch {
      // There is no WebGL here; that is found out by trying.
      // oxlint-disable-next-line react/set-state-in-effect
      setFailed(true);
      return undefined;
    }
    sigma.on('clickNode', ({ node }) => acts.current.onName(node));
    sigma.on('clickEdge', ({ edge }) => acts.current.onLink(drawn.source(edge), drawn.target(edge)));
    return () => sigma.kill();
    // The colours are read from the style sheet, which has others in the dark.
  }, [graph, isDark]);
  if (failed) return <p className="notice">{words.noPicture}</p>;
  return <div ref={box} className="picture" aria-hidden="true" />;
}

function drawable({ nodes, edges }: GraphLayout, lineColour: string, scale: number): MultiGraph {
  const drawn = new MultiGraph();
  const places = placeNodes(nodes);
  const most = Math.max(...nodes.map(({ centrality }) => centrality), Number.EPSILON);
  for (const { entity_id, name, community_id, centrality, x, y } of nodes) {
    const size = scale * (SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(Math.max(centrality, 0) / most));
    const place = x == null || y == null ? places.get(entity_id) : { x, y };
    drawn.addNode(entity_id, { ...place, label: name, color: colourOf(community_id), size });
  }
  for (const { source, target, weight } of edges) {
    if (!drawn.hasNode(source) || !drawn.hasNode(target)) continue;
    drawn.addEdge(source, target, { size: Math.min(1 + weight / 2, 4), color: lineColour });
  }
  return drawn;
}
