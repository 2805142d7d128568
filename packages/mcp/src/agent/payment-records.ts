import { createHash } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const hex = z.templateLiteral(['0x', z.string()])

/** What was asked for. The same reference with another payment is a mistake. */
const request = z.strictObject({
  network: z.int(),
  /** An address. */
  to: z.string(),
  /** Absent: the network's coin. */
  token: z.string().optional(),
  /** Base units. */
  amount: z.string(),
  /** The paid URL, if it is a purchase. */
  url: z.string().optional(),
})

const record = z.strictObject({
  reference: z.string(),
  request,
  at: z.iso.datetime(),
  /** A payment of the account: written before it is sent. */
  operation: z.strictObject({ userOpHash: hex, signature: hex }).optional(),
  /** A payment of the purse: the headers that carry it, written before they are sent. */
  headers: z.record(z.string(), z.string()).optional(),
  /** What the purse signed (EIP-3009). The token accepts it once, before this time (seconds since 1970). */
  authorization: z.strictObject({ nonce: hex, validBefore: z.int() }).optional(),
  outcome: z.enum(['paid', 'failed', 'dropped']).optional(),
  txnHash: hex.optional(),
})

export type PaymentRequest = z.output<typeof request>
export type PaymentRecord = z.output<typeof record>

/**
 * Payments as files, one for each reference. A record exists before its payment is sent, and only one process
 * can create it, so that a reference never pays twice: not after a crash, not with two servers in one folder.
 */
export interface PaymentRecords {
  find(reference: string): Promise<PaymentRecord | undefined>
  /** @returns false if the reference already has a record; nothing is written then */
  create(record: PaymentRecord): Promise<boolean>
  finish(record: PaymentRecord): Promise<void>
  /** Sets aside the record of a payment that can no longer happen, so that its reference can be tried again. */
  setAside(record: PaymentRecord): Promise<void>
  /** Newest first, those that were set aside included. */
  list(): Promise<readonly PaymentRecord[]>
}

export function createPaymentRecords(folder: string): PaymentRecords {
  const nameOf = (reference: string) => createHash('sha256').update(reference).digest('hex')
  const pathOf = (reference: string) => join(folder, `${nameOf(reference)}.json`)
  const read = async (path: string) => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return text === undefined ? undefined : record.parse(JSON.parse(text))
  }
  /** Writes a whole file to the disk, and then gives it its name. */
  async function write(entry: PaymentRecord, place: (temporary: string, path: string) => Promise<void>) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = pathOf(entry.reference)
    const temporary = `${path}.${process.pid}.${crypto.randomUUID()}`
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(JSON.stringify(entry))
      await file.sync()
    } finally {
      await file.close()
    }
    try {
      await place(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
  }

  return {
    find: (reference) => read(pathOf(reference)),
    async create(entry) {
      try {
        await write(entry, link) // fails if the name is taken, which `rename` does not
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
        throw error
      }
    },
    finish: (entry) => write(entry, rename),
    async setAside(entry) {
      await write({ ...entry, outcome: 'dropped' }, async (temporary, path) => {
        await rename(temporary, `${path.slice(0, -'.json'.length)}-${Date.now()}.json`)
        await rm(path, { force: true }) // another process may have set it aside too
      })
    },
    async list() {
      const names = await readdir(folder).catch(() => [])
      const files = names.filter((name) => name.endsWith('.json')).map((name) => read(join(folder, name)))
      const found = (await Promise.all(files)).filter((entry) => entry !== undefined)
      return found.sort((one, other) => other.at.localeCompare(one.at))
    },
  }
}

/** Whether two requests are the same payment. */
export const isSamePayment = (one: PaymentRequest, other: PaymentRequest): boolean =>
  one.network === other.network &&
  one.amount === other.amount &&
  one.url === other.url &&
  one.to.toLowerCase() === other.to.toLowerCase() &&
  one.token?.toLowerCase() === other.token?.toLowerCase()
