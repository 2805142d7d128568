import { LanyardError } from '@lanyard/contracts'
import { insertPlainBuild } from '@lanyard/database'
import type { OperationDependencies } from '../dependencies.ts'
import { readNonceUse } from '../track/nonce-use.ts'
import type { BuildRequest, BuiltOperation } from './build-request.ts'
import { toRow } from './build-row.ts'
import type { EstimatedOperation } from './estimate.ts'
import { chooseNonce } from './reserve-nonce.ts'
import { toBuilt, toNonceRequest, toUnpaid } from './write-build.ts'

/** A build that is written by one statement, without a lock. */
export interface PlainBuild {
  /** @returns undefined if the account has changed since, or a rule forbids the build: see `writeBuild` */
  write(estimated: EstimatedOperation): Promise<BuiltOperation | undefined>
}

/**
 * Reads the use of the account's nonces while the chain is read. If nothing else is written with the build,
 * and the account does not change meanwhile, its row is then all that remains to be written.
 *
 * @returns undefined for a build that needs a transaction
 */
export function startPlainBuild(
  dependencies: OperationDependencies,
  request: BuildRequest,
): PlainBuild | undefined {
  const { wallet, network, payer, signer, builtBy, replaces, onPersisted } = request
  if (!payer.isVerbatim || replaces !== undefined || onPersisted) return undefined
  const { database } = dependencies
  const account = wallet.address.toLowerCase()
  const reading = readNonceUse(database, {
    nonceHolders: dependencies.features.nonceHolders,
    account,
    network: network.chainId,
    builtBy,
    session: signer?.position,
    now: dependencies.now(),
  })
  reading.catch(() => {}) // nobody may ask for it

  return {
    async write(estimated) {
      try {
        const now = dependencies.now()
        const use = await reading
        const reservation = chooseNonce(use, toNonceRequest(dependencies, request, estimated, now))
        const unpaid = toUnpaid(estimated, reservation)
        const paid = { unpaid, paymasterAndData: payer.draft, validUntil: 0 }
        const built = toBuilt(request, paid)
        const row = toRow(request, reservation, built, now)
        return (await insertPlainBuild(database, { row, version: use.version })) ? built : undefined
      } catch (error) {
        // What was read without the lock may be outdated.
        if (error instanceof LanyardError) return undefined
        throw error
      }
    },
  }
}
