// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev The cheat codes in use, declared by hand: no package on npm has a current forge-std.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function etch(address target, bytes calldata code) external;
    function deal(address account, uint256 balance) external;
    function load(address target, bytes32 slot) external view returns (bytes32);
    function store(address target, bytes32 slot, bytes32 value) external;
    function expectRevert(bytes calldata revertData) external;
    function assume(bool condition) external pure;
    function cool(address target) external;
    function chainId(uint256 newChainId) external;
    function txGasPrice(uint256 newGasPrice) external;
    function warp(uint256 timestamp) external;
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function signP256(uint256 privateKey, bytes32 digest) external pure returns (bytes32 r, bytes32 s);
    function publicKeyP256(uint256 privateKey) external pure returns (uint256 x, uint256 y);
    function record() external;
    function accesses(address target) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function getCode(string calldata artifact) external view returns (bytes memory code);
    function envOr(string calldata name, string calldata otherwise) external view returns (string memory);
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function expectPartialRevert(bytes4 selector) external;
    function expectRevert() external;
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256);
    function expectEmit(address emitter) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);
}

/// @notice The parts of a test framework that these tests need; forge runs functions whose names start with `test`.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    error NotEqual(string what, uint256 actual, uint256 expected);
    error NotTrue(string what);
    error NotEqualBytes(string what, bytes actual, bytes expected);

    /// @dev The creation code of a contract of ours. CONTRACT_ARTIFACTS names another folder of artifacts: scripts/mutants.ts
    /// puts mutants there, and scripts/committed-code.ts the code that is committed.
    function _creationCode(string memory name) internal view returns (bytes memory) {
        string memory folder = vm.envOr("CONTRACT_ARTIFACTS", "");
        return vm.getCode(
            bytes(folder).length == 0
                ? string.concat(name, ".sol:", name)
                : string.concat(folder, "/", name, ".sol/", name, ".json")
        );
    }

    function _create(bytes memory code, bytes memory arguments) internal returns (address created) {
        bytes memory initCode = bytes.concat(code, arguments);
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            created := create(0, add(initCode, 32), mload(initCode))
            if iszero(created) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
        }
    }

    function assertEq(uint256 actual, uint256 expected, string memory what) internal pure {
        if (actual != expected) revert NotEqual(what, actual, expected);
    }

    function assertEq(bytes memory actual, bytes memory expected, string memory what) internal pure {
        if (keccak256(actual) != keccak256(expected)) revert NotEqualBytes(what, actual, expected);
    }

    function assertTrue(bool condition, string memory what) internal pure {
        if (!condition) revert NotTrue(what);
    }

    /// @dev Maps `seed` to a value between both bounds.
    function bound(uint256 seed, uint256 lowest, uint256 highest) internal pure returns (uint256) {
        if (seed >= lowest && seed <= highest) return seed;
        return lowest + seed % (highest - lowest + 1);
    }

    /// @dev lowest ≤ actual ≤ highest.
    function assertWithin(uint256 actual, uint256 lowest, uint256 highest, string memory what) internal pure {
        if (actual < lowest) revert NotEqual(what, actual, lowest);
        if (actual > highest) revert NotEqual(what, actual, highest);
    }
}
