package import PrimereplFoundation

/// Files and folders by their paths, which keep every byte (see `String.init(systemBytes:)`).
///
/// By default, new ones can be written by their owner alone, even if the process's mask allows more.
package enum FileSystem {
  package enum Kind {
    case file
    case folder
    /// A pipe, a device or a socket, which may have no end.
    case special

    package init(_ status: stat) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      default: self = .special
      }
    }
  }

  // MARK: - Looking

  package static func status(of path: String) throws(SystemCallError) -> stat {
    var status = stat()
    try call("stat", path) {
      // `PrimereplFoundation.stat` is the structure, so this calls another function with the same effect.
      fstatat(AT_FDCWD, $0, &status, 0)
    }
    return status
  }

  package static func status(of descriptor: Int32) throws(SystemCallError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemCallError("fstat") }
    return status
  }

  /// The kind of file at a path, or where a symbolic link there leads; nil if nothing can be reached.
  package static func kind(of path: String) -> Kind? {
    do throws(SystemCallError) {
      return Kind(try status(of: path))
    } catch {
      return nil
    }
  }

  /// Whether the process may access a file; by default, whether there is one.
  package static func canAccess(_ path: String, _ mode: Int32 = F_OK) -> Bool {
    path.withSystemBytes { access($0, mode) } == 0
  }

  package static func isLink(_ path: String) -> Bool { linkTarget(of: path) != nil }

  /// The path without symbolic links; nil if nothing is there.
  package static func realPath(of path: String) -> String? {
    path.withSystemBytes { path in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return String(systemBytes: UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }
  }

  /// The absolute path of a file without symbolic links, even if the file doesn't exist yet.
  package static func resolved(_ path: String) -> String { resolved(path, links: 0) }

  private static func resolved(_ path: String, links: Int) -> String {
    if let real = realPath(of: path) { return real }
    let folder = FilePath.folder(of: path)
    // The same limit as in Linux.
    if links < 40, let target = linkTarget(of: path) {
      return resolved(
        target.utf8.first == UInt8(ascii: "/") ? target : FilePath.path(of: target, in: folder),
        links: links + 1)
    }
    // A missing folder is, in the end, in one that exists: the root, or the working directory.
    guard folder != "/", folder != path, folder != "." || realPath(of: ".") != nil else {
      return path
    }
    return FilePath.path(of: FilePath.name(of: path), in: resolved(folder, links: links))
  }

  /// Whether a path in a folder leads where it says: no part of it is a symbolic link, except perhaps of the folder's path.
  ///
  /// For files whose names aren't a user's choice: they aren't written through links, which anybody may have put there.
  package static func isWithoutLinks(_ path: String, in folder: String) -> Bool {
    resolved(FilePath.path(of: path, in: folder)) == FilePath.path(of: path, in: resolved(folder))
  }

  private static func linkTarget(of path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = path.withSystemBytes { readlink($0, &target, target.count) }
    return count > 0 ? String(systemBytes: target[..<count].map(UInt8.init(bitPattern:))) : nil
  }

  /// The names in a folder, sorted.
  package static func names(in folder: String) throws(SystemCallError) -> [String] {
    guard let stream = folder.withSystemBytes({ opendir($0) }) else {
      throw SystemCallError("opendir")
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(systemBytes: $0.prefix { $0 != 0 })
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw SystemCallError("readdir") }
    return names.sorted()
  }

  // MARK: - Reading and writing

  /// Opens a file, whose descriptor child processes don't inherit.
  package static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o644
  ) throws(SystemCallError) -> Int32 {
    try call("open", path) { PrimereplFoundation.open($0, flags | O_CLOEXEC, mode) }
  }

  /// Reads a whole regular file.
  ///
  /// The opened file is checked, not the one that the path named before: a pipe or a device may never end. The size is
  /// checked while reading, because a file may grow.
  ///
  /// - Throws: `SystemCallError`, with EFBIG if the file has more bytes than the limit.
  package static func contents(
    of path: String, limit: Int = .max
  ) throws(SystemCallError) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    let descriptor = try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    defer { close(descriptor) }
    switch Kind(try status(of: descriptor)) {
    case .file: return try FileDescriptor.readAll(descriptor, limit: limit)
    case .folder: throw SystemCallError("read", EISDIR)
    case .special: throw .notRegularFile
    }
  }

  /// Makes a file, or replaces its content: all of it, or nothing.
  ///
  /// The content is on disk when this returns.
  ///
  /// - Parameters:
  ///   - path: The file's path; a symbolic link is followed.
  ///   - bytes: The new content.
  ///   - mode: The permissions of a new file, less those of the process's mask; an existing file keeps its own.
  /// - Throws: `SystemCallError`; then the file is unchanged.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: mode_t = 0o644
  ) throws(SystemCallError) {
    let file = try FileReplacement(of: path, mode: mode)
    try FileDescriptor.write(bytes, to: file.descriptor)
    try file.commit()
  }

  // MARK: - Changing folders

  /// Makes a folder unless there is one, and the folders that it is in.
  package static func makeFolder(_ path: String, mode: mode_t = 0o755) throws(SystemCallError) {
    guard !canAccess(path) else { return }
    if errno == ENOENT { try makeFolder(FilePath.folder(of: path), mode: mode) }
    do throws(SystemCallError) {
      try call("mkdir", path) { mkdir($0, mode) }
    } catch {
      // Another process may have made it meanwhile.
      guard error.errorNumber == EEXIST else { throw error }
    }
  }

  package static func remove(_ path: String) throws(SystemCallError) {
    try call("unlink", path) { unlink($0) }
  }

  /// Gives a file another path, where it replaces any other file.
  package static func rename(_ path: String, to other: String) throws(SystemCallError) {
    try call("rename", path) { path in
      other.withSystemBytes { PrimereplFoundation.rename(path, $0) }
    }
  }

  /// Calls a system function, again if a signal interrupts it.
  @discardableResult
  private static func call(
    _ name: String, _ path: String, _ function: (UnsafePointer<CChar>) -> Int32
  ) throws(SystemCallError) -> Int32 {
    while true {
      let result = path.withSystemBytes(function)
      if result >= 0 { return result }
      if errno != EINTR { throw SystemCallError(name) }
    }
  }
}

/// The new content of a file, which takes the file's place at once when it is complete.
package final class FileReplacement {
  /// The file, without symbolic links.
  private let path: String
  private let temporaryPath: String
  private var isOpen = true
  private var isCommitted = false

  package let descriptor: Int32

  /// Begins the content of a file, which has the permissions of the one that it replaces.
  ///
  /// - Parameters:
  ///   - path: The file's path; a symbolic link is followed.
  ///   - mode: The permissions of a new file, less those of the process's mask.
  /// - Throws: `SystemCallError`, also for a file that may not be written or isn't a regular one.
  package init(of path: String, mode: mode_t = 0o644) throws(SystemCallError) {
    self.path = FileSystem.resolved(path)
    let permissions = try Self.permissions(of: self.path)
    // In the same folder, and so on the same disk.
    let name = ".\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
    temporaryPath = FilePath.path(of: name, in: FilePath.folder(of: self.path))
    descriptor = try FileSystem.open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    if let permissions, fchmod(descriptor, permissions) != 0 { throw SystemCallError("fchmod") }
  }

  deinit {
    if isOpen { close(descriptor) }
    if !isCommitted { _ = temporaryPath.withSystemBytes { unlink($0) } }
  }

  /// The permissions of a file that can be replaced; nil if there is none.
  private static func permissions(of path: String) throws(SystemCallError) -> mode_t? {
    let status: stat
    do throws(SystemCallError) {
      status = try FileSystem.status(of: path)
    } catch {
      if error.errorNumber == ENOENT { return nil }
      throw error
    }
    guard FileSystem.Kind(status) == .file else { throw .notRegularFile }
    guard FileSystem.canAccess(path, W_OK) else { throw SystemCallError("open") }
    return status.st_mode & 0o777
  }

  /// Puts the content in its place, once it is on disk.
  package func commit() throws(SystemCallError) {
    guard fsync(descriptor) == 0 else { throw SystemCallError("fsync") }
    isOpen = false
    // Network file systems say only now that the disk is full.
    guard close(descriptor) == 0 || errno == EINTR else { throw SystemCallError("close") }
    try FileSystem.rename(temporaryPath, to: path)
    isCommitted = true
  }
}
