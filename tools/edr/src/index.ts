export { type ChainState, type EdrNode, type EdrNodeOptions, startEdrNode } from './start-edr-node.ts'
