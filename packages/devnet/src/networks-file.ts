import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import type { DevnetNetwork } from './networks.ts'

/**
 * Writes a networks file (`NETWORKS_FILE`), with which the service uses these networks like real ones, so
 * that the chains can outlive the service. The file is replaced atomically.
 */
export async function writeNetworksFile(path: string, networks: readonly DevnetNetwork[]): Promise<void> {
  const content = {
    networks: networks.map(
      ({ chainId, name, rpcUrl, settlementToken, smartBalance, sessionKeys, ownership, nativePrice }) => ({
        chainId,
        name,
        rpcUrls: [rpcUrl],
        local: true,
        accountKinds: ['safe', 'eip7702'],
        finality: { tag: 'finalized' },
        bundler: { kind: 'embedded' },
        settlementToken,
        smartBalance,
        sessionKeys,
        ownership,
        nativePrice,
      }),
    ),
  }
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`)
  await rename(temporary, path)
}
