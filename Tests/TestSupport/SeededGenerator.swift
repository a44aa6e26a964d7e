package import PrimereplFoundation

/// Random numbers that are the same for the same seed.
package typealias SeededGenerator = SplitMix64
