/** One address in front of several replicas. */
export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** Which one it is, and its version. */
  readonly name: string
  /** How many requests it gave to a second replica. */
  readonly passedOn: () => Promise<number>
}
