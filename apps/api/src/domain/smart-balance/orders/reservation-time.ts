/** Seconds for which a solution is reserved before an operation is built with it. */
export const reservationSeconds = 600
