export { type CairnTools, cairnTools } from './cairn-tools.ts';
