import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { devTokenBytecode } from '@lanyard/onchain'
import { hexToBytes } from 'viem'
import { localContracts } from './contracts.generated.ts'
import { ownershipAddress, ownershipContract } from './ownership.ts'
import { createSetupClient, placeContract } from './place-contract.ts'
import { sessionKeysAddress, sessionKeysContract } from './session-keys.ts'
import { settlementTokenAddress, settlementTokenInitCode } from './settlement-token.ts'
import { placeSmartBalance, smartBalanceAddress, verifierAddress } from './smart-balance.ts'
import type { SupervisedAnvils } from './supervised-anvils.ts'
import { placeTokenPaymasters, tokenPaymasterAddresses } from './token-paymaster.ts'

/** Increase this when the way the state is built changes; the key already depends on its ingredients. */
const LAYOUT = 6

/** Beside the package's dependencies, so that a clean install also deletes it. */
const defaultCacheDir = fileURLToPath(new URL('../node_modules/.cache/genesis', import.meta.url))

export interface GenesisStateOptions {
  /** Decimals of the settlement token, the only difference between local networks. */
  readonly decimals: number
  readonly cacheDir?: string | undefined
}

/**
 * Path of a state file for anvil's `--load-state` with all contracts in place. Built once (1–2 s) and cached.
 *
 * The file name contains a hash of the ingredients and one of the content: a stale file is not found, and a
 * damaged one is detected and replaced. The file is created by an atomic rename, so processes that build
 * concurrently do not disturb each other; the last one wins, and all results are equivalent.
 */
export async function genesisState(anvils: SupervisedAnvils, options: GenesisStateOptions): Promise<string> {
  const { decimals, cacheDir = defaultCacheDir } = options
  const key = sha256(
    JSON.stringify([
      LAYOUT,
      decimals,
      localContracts,
      devTokenBytecode,
      smartBalanceAddress,
      verifierAddress,
      sessionKeysAddress,
      ownershipAddress,
      tokenPaymasterAddresses,
    ]),
  )
  const cached = await findIntact(cacheDir, key)
  if (cached) return cached

  const state = await buildState(anvils, decimals)
  await mkdir(cacheDir, { recursive: true })
  const path = join(cacheDir, `${key}-${sha256(state)}.json`)
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, state)
  await rename(temporary, path)
  return path
}

async function findIntact(cacheDir: string, key: string): Promise<string | undefined> {
  const names = await readdir(cacheDir).catch(() => [])
  for (const name of names) {
    const contentHash = new RegExp(`^${key}-(\\w+)\\.json$`).exec(name)?.[1]
    if (!contentHash) continue
    const path = join(cacheDir, name)
    const content = await readFile(path).catch(() => undefined)
    if (content && sha256(content) === contentHash) return path
    await rm(path, { force: true })
  }
  return undefined
}

/**
 * Builds the state on a separate anvil, which mines each set-up transaction immediately. It also mines blocks
 * at an interval: viem checks for a receipt again only at a new block, and would wait forever if its first
 * check was too early.
 */
async function buildState(anvils: SupervisedAnvils, decimals: number): Promise<Uint8Array> {
  const anvil = await anvils.start(0, ['--block-time', '1', '--mixed-mining'])
  try {
    const client = await createSetupClient(anvil.rpcUrl)
    for (const contract of localContracts) await placeContract(client, contract)
    await placeContract(client, {
      address: settlementTokenAddress,
      placement: { kind: 'constructor', initCode: settlementTokenInitCode(decimals) },
    })
    await placeSmartBalance(client, anvil.rpcUrl)
    await placeContract(client, sessionKeysContract())
    await placeContract(client, ownershipContract())
    await placeTokenPaymasters(client)
    // anvil_dumpState returns the gzipped input of --load-state.
    return gunzipSync(hexToBytes(await client.dumpState()))
  } finally {
    await anvil.stop()
  }
}

/** 32 hex digits are enough against accidental collisions, and keep file names short. */
function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}
