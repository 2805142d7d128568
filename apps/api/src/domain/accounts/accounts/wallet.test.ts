import { computeAccountAddress, defaultDeployment } from '@lanyard/accounts'
import { createEoaAccount } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { recordStatements } from '../../../../test/statements.ts'
import { toStoredDeployment } from '../safe/safe-kind.ts'
import { findWallet } from './wallet.ts'

describe('findWallet', () => {
  const createAccount = async (database: Awaited<ReturnType<typeof freshDatabase>>) => {
    const eoaAddress = privateKeyToAddress(randomPrivateKey())
    const address = computeAccountAddress({ kind: 'eoa', address: eoaAddress })
    const deployment = toStoredDeployment(defaultDeployment)
    await createEoaAccount(database.db, { address, eoaAddress, deployment, createdAt: new Date() })
    return { address, eoaAddress }
  }

  test('default: reads a wallet once, because its address commits to what it was read from', async () => {
    await using database = await freshDatabase('pglite')
    const { address, eoaAddress } = await createAccount(database)
    const statements = recordStatements(database)
    const wallet = await findWallet(database.db, address)
    expect(wallet).toMatchObject({ address, owner: { kind: 'eoa', address: eoaAddress } })
    expect(statements.take()).toHaveLength(1)
    expect(await findWallet(database.db, address)).toEqual(wallet)
    expect(statements.take()).toEqual([])
    expect(await findWallet(database.db, eoaAddress)).toEqual(wallet)
  })

  test('behavior: reads a row again that contradicts its address, until it is repaired', async () => {
    await using database = await freshDatabase()
    const { address, eoaAddress } = await createAccount(database)
    const setOwner = (owner: string) =>
      database.db.updateTable('accounts').set({ eoa_address: owner.toLowerCase() }).execute()
    const other = privateKeyToAddress(randomPrivateKey())
    await setOwner(other)
    expect(await findWallet(database.db, address)).toMatchObject({ owner: { address: other } })
    await setOwner(eoaAddress)
    expect(await findWallet(database.db, address)).toMatchObject({ owner: { address: eoaAddress } })
  })

  test('error: UNKNOWN_WALLET, and nothing is remembered of it', async () => {
    await using database = await freshDatabase()
    const eoaAddress = privateKeyToAddress(randomPrivateKey())
    const address = computeAccountAddress({ kind: 'eoa', address: eoaAddress })
    await expect(findWallet(database.db, address)).rejects.toMatchObject({ code: 'UNKNOWN_WALLET' })
    const deployment = toStoredDeployment(defaultDeployment)
    await createEoaAccount(database.db, { address, eoaAddress, deployment, createdAt: new Date() })
    expect(await findWallet(database.db, address)).toMatchObject({ address })
  })
})
