// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Owner} from "../../interfaces/IOwnership.sol";

/// @title EIP-712 of what owners and guardians sign, without a chain id
library OwnershipHashes {
    bytes32 private constant _DOMAIN =
        keccak256("EIP712Domain(string name,string version,address verifyingContract)");
    bytes32 private constant _OWNER_CHANGE =
        keccak256("OwnerChange(address account,uint64 sequence,bytes32 kind,bytes data)");
    bytes32 private constant _OWNER = keccak256("Owner(uint8 kind,bytes key)");
    bytes32 private constant _RECOVERY =
        keccak256("Recovery(address account,uint64 sequence,Owner[] newOwners)Owner(uint8 kind,bytes key)");

    function domain() internal view returns (bytes32) {
        return keccak256(abi.encode(_DOMAIN, keccak256("Ownership"), keccak256("1"), address(this)));
    }

    /// @notice 0x1901 ‖ domain ‖ struct hash. Its hash is what is signed; Safe wants both (GS027).
    function changePreimage(
        bytes32 domainSeparator,
        address account,
        uint64 sequence,
        bytes32 kind,
        bytes calldata data
    ) internal pure returns (bytes memory) {
        return abi.encodePacked(
            hex"1901",
            domainSeparator,
            keccak256(abi.encode(_OWNER_CHANGE, account, sequence, kind, keccak256(data)))
        );
    }

    function recoveryHash(
        bytes32 domainSeparator,
        address account,
        uint64 sequence,
        Owner[] calldata newOwners
    ) internal pure returns (bytes32) {
        bytes32[] memory owners = new bytes32[](newOwners.length);
        for (uint256 i; i < owners.length; ++i) {
            owners[i] = keccak256(abi.encode(_OWNER, newOwners[i].kind, keccak256(newOwners[i].key)));
        }
        bytes32 structHash =
            keccak256(abi.encode(_RECOVERY, account, sequence, keccak256(abi.encodePacked(owners))));
        return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
    }
}
