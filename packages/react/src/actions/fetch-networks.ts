import type { LanyardClient, OwnershipNetwork } from '@lanyard/client'
import { callService } from './call-service.ts'

/** The service's networks, with the contracts that an account's module works with. */
export async function fetchNetworks(
  client: LanyardClient,
  signal?: AbortSignal,
): Promise<readonly OwnershipNetwork[]> {
  const { networks } = await callService(client.system.networks({}, signal ? { signal } : {}))
  return networks
}
