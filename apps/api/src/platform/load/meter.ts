/** Records what the current request costs. */
export interface Meter {
  /** Adds gas that a node simulated. */
  addGas(gas: bigint): void
  /** Adds milliseconds of another thread. */
  addTime(milliseconds: number): void
  /** The request only waits from now on; returns a function that ends this. */
  pause(): () => void
}
