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
    bytes32 private constant _RECOVERY = keccak256(
        "Recovery(address account,uint64 sequence,uint64 number,Owner[] newOwners,uint256 newThreshold)Owner(uint8 kind,bytes key)"
    );
    bytes32 private constant _CANCEL_RECOVERY =
        keccak256("CancelRecovery(address account,uint64 sequence,uint64 number)");
    bytes32 private constant _RECOVERY_RESULT = keccak256(
        "RecoveryResult(address account,uint64 sequence,Owner[] newOwners,uint256 newThreshold)Owner(uint8 kind,bytes key)"
    );

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
        uint64 number,
        Owner[] calldata newOwners,
        uint256 newThreshold
    ) internal pure returns (bytes32) {
        return _digest(
            domainSeparator,
            keccak256(abi.encode(_RECOVERY, account, sequence, number, _hashOf(newOwners), newThreshold))
        );
    }

    function cancelHash(bytes32 domainSeparator, address account, uint64 sequence, uint64 number)
        internal
        pure
        returns (bytes32)
    {
        return _digest(domainSeparator, keccak256(abi.encode(_CANCEL_RECOVERY, account, sequence, number)));
    }

    /// @notice What a recovery is, whichever number guardians gave it. Not signed: it goes into the head.
    function resultHash(
        bytes32 domainSeparator,
        address account,
        uint64 sequence,
        Owner[] calldata newOwners,
        uint256 newThreshold
    ) internal pure returns (bytes32) {
        return _digest(
            domainSeparator,
            keccak256(abi.encode(_RECOVERY_RESULT, account, sequence, _hashOf(newOwners), newThreshold))
        );
    }

    function _hashOf(Owner[] calldata list) private pure returns (bytes32) {
        bytes32[] memory owners = new bytes32[](list.length);
        for (uint256 i; i < owners.length; ++i) {
            owners[i] = keccak256(abi.encode(_OWNER, list[i].kind, keccak256(list[i].key)));
        }
        return keccak256(abi.encodePacked(owners));
    }

    function _digest(bytes32 domainSeparator, bytes32 structHash) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
    }
}
