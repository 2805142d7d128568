/** Milliseconds of a processor for each KiB that is received: reading, parsing, hashing, storing. */
const perKiBReceived = 0.02

/** For each KiB that is sent. */
const perKiBSent = 0.01

/** For each million gas that a node simulates: nodes execute 100 to 600 million a second. */
const perMillionGas = 4

/** Deposit for each KiB of a body, which is returned if the call costs less. A build hashes and simulates it. */
const depositPerKiB = 0.4

/** What a call used. */
export interface Use {
  /** Milliseconds. */
  readonly processor: number
  /** Bytes. */
  readonly received: number
  readonly sent: number
  readonly gas: bigint
}

/** Milliseconds of one processor: the one unit in which everything that a call uses is counted. */
export const costOf = ({ processor, received, sent, gas }: Use): number =>
  processor +
  (received / 1024) * perKiBReceived +
  (sent / 1024) * perKiBSent +
  (Number(gas) / 1_000_000) * perMillionGas

/** What is reserved for a body of this size, in milliseconds. */
export const depositForBody = (bytes: number): number => (bytes / 1024) * depositPerKiB
