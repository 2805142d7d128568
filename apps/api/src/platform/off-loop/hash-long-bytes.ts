import { longHex, rememberHash } from '@lanyard/accounts/long-hashes'
import type { Hex } from 'viem'
import { offLoop } from './off-loop.ts'

/** Hashes long bytes in another thread, so that the hashes which contain them are quick. */
export async function hashLongBytes(bytes: Hex): Promise<void> {
  if (bytes.length >= longHex) rememberHash(bytes, await offLoop('keccak256', bytes))
}
