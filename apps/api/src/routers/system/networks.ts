import { endpoints } from '@lanyard/contracts'
import type { NetworkConfig } from '@lanyard/networks'
import { implement } from '../../implement.ts'

/** RPC addresses may hold keys: only those of local networks, and those configured as public, are shown. */
const shownRpcUrl = ({ local, publicRpcUrl, rpcUrls }: NetworkConfig) =>
  publicRpcUrl ?? (local ? rpcUrls[0] : undefined)

export const networks = implement(endpoints.system.networks, async (_input, { services }) => ({
  networks: services.networks.list().map(({ config }) => {
    const rpcUrl = shownRpcUrl(config)
    return {
      network: config.chainId,
      name: config.name,
      ...(rpcUrl !== undefined && { rpcUrl }),
      ...(config.explorerUrl !== undefined && { explorerUrl: config.explorerUrl }),
      entryPoint: config.entryPoint,
      smartBalance: null,
      sessionKeys: null,
      settlementToken: config.settlementToken ?? null,
    }
  }),
}))
