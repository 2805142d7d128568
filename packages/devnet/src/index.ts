export { canonicalAddresses } from './canonical-addresses.ts'
export { type DevAccount, type DevRoles, devAccounts, devMnemonic, devRoles } from './dev-accounts.ts'
export { DevnetError, type DevnetErrorCode } from './errors.ts'
export { localTransport } from './local-transport.ts'
export { type DevnetNetwork, defaultChainIds } from './networks.ts'
export { writeNetworksFile } from './networks-file.ts'
export { ownershipAddress } from './ownership.ts'
export { sessionKeysAddress } from './session-keys.ts'
export { type SettlementToken, settlementTokenAddress } from './settlement-token.ts'
export { smartBalanceAddress } from './smart-balance.ts'
export {
  type Devnet,
  type DevnetExit,
  type Hardfork,
  hardforks,
  type RunningNetwork,
  type StartDevnetOptions,
  startDevnet,
} from './start-devnet.ts'
export { type DevnetNode, type StartNodeOptions, startNode } from './start-node.ts'
