import { operatorProcedure, router } from '../console-trpc.ts'

export const overview = router({
  read: operatorProcedure.query(({ ctx }) => ctx.overview.read()),
  /** Results by minute, and the times to inclusion, of the last hour. */
  series: operatorProcedure.query(({ ctx }) => ctx.overview.series()),
})
