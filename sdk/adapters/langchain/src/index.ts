export { CairnRetriever, type CairnRetrieverFields, type PassageMetadata } from './cairn-retriever.ts';
export { cairnTools } from './cairn-tools.ts';
