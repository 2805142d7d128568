import { endpoints } from '@lanyard/contracts'
import { implement } from '../../pipeline/implement.ts'
import { shownRpcUrl } from '../../platform/shown-rpc-url.ts'

export const networks = implement(endpoints.system.networks, async (_input, { services }) => ({
  networks: services.networks.list().map(({ config }) => {
    const rpcUrl = shownRpcUrl(config)
    return {
      network: config.chainId,
      name: config.name,
      ...(rpcUrl !== undefined && { rpcUrl }),
      ...(config.explorerUrl !== undefined && { explorerUrl: config.explorerUrl }),
      nativeCurrency: config.nativeCurrency,
      entryPoint: config.entryPoint,
      accountKinds: [...config.accountKinds],
      smartBalance: config.smartBalance ?? null,
      sessionKeys: config.sessionKeys ?? null,
      settlementToken: config.settlementToken ?? null,
    }
  }),
}))
