import type { NetworkConfig } from '@lanyard/networks'

/**
 * RPC addresses may contain keys: only those of local networks, and those configured as public, are shown.
 */
export const shownRpcUrl = ({ local, publicRpcUrl, rpcUrls }: NetworkConfig): string | undefined =>
  publicRpcUrl ?? (local ? rpcUrls[0] : undefined)
