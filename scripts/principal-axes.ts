/** Returns the principal axes of rows, strongest first, by Jacobi rotations of their covariance. */
export function principalAxes(rows: readonly Vector[], width: number): readonly Float64Array[] {
  const a = Array.from({ length: width }, () => new Float64Array(width))
  for (const row of rows)
    for (let i = 0; i < width; i += 1) for (let j = 0; j < width; j += 1) a[i]![j]! += row[i]! * row[j]!
  const v = Array.from({ length: width }, (_, i) => Float64Array.from({ length: width }, (__, j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < 12; sweep += 1)
    for (let p = 0; p < width; p += 1)
      for (let q = p + 1; q < width; q += 1) {
        if (Math.abs(a[p]![q]!) < 1e-9) continue
        const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!)
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1))
        const c = 1 / Math.hypot(t, 1)
        const s = t * c
        for (let k = 0; k < width; k += 1) rotate(a[k]!, p, q, c, s)
        for (let k = 0; k < width; k += 1) {
          const [x, y] = [a[p]![k]!, a[q]![k]!]
          a[p]![k] = c * x - s * y
          a[q]![k] = s * x + c * y
        }
        for (const row of v) rotate(row, p, q, c, s)
      }
  const order = Array.from({ length: width }, (_, i) => i).toSorted((i, j) => a[j]![j]! - a[i]![i]!)
  return order.map((i) => Float64Array.from(v, (row) => row[i]!))
}

function rotate(row: Float64Array, p: number, q: number, c: number, s: number): void {
  const [x, y] = [row[p]!, row[q]!]
  row[p] = c * x - s * y
  row[q] = s * x + c * y
}

/** Returns the product of two vectors of the same length. */
export function dot(a: Vector, b: Vector): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return sum
}

type Vector = Float64Array | Float32Array
