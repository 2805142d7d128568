export {
  bundlerConfig,
  entryPointV07,
  finality,
  type NetworkConfig,
  networkConfig,
  networksFile,
} from './config.ts'
export { createNetworks, type Networks } from './create-networks.ts'
export type { Fees, Network, NetworkHealth } from './network.ts'
