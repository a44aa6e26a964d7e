// The C library, and of Foundation the part that has no data for languages and regions: with those, a program is
// 40 MB larger and starts in three times the time. Apple's platforms have all of it in the system.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif
