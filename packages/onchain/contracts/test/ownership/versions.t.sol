// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianSet, GuardianSignature, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @notice Accounts of Safe 1.5.0, which asks contracts of its owners in another way.
contract Safe150OwnershipTest is OwnershipTest {
    function setUp() public override {
        super.setUp();
        singleton = _create(
            _code(
                "node_modules/@safe-global/safe-smart-account/build/artifacts/contracts/Safe.sol/Safe.json"
            ),
            ""
        );
        account = _createSafe(vm.addr(OWNER_KEY));
        _install(account);
        _enable(account);
    }

    function test_ownerIsAnEoa() public {
        _change(ADD, abi.encode(_eoa(NEW_OWNER_KEY)));
        assertTrue(_owns(account, vm.addr(NEW_OWNER_KEY)), "owner");
        bytes memory signature = _sign(THIRD_PARTY_KEY, 1, CANCEL, "");
        vm.expectRevert(bytes("GS026"));
        ownership.applyChange(account, 1, CANCEL, "", signature);
    }

    function test_ownerIsAPasskey() public {
        _change(ADD, abi.encode(_passkey(OTHER_PASSKEY)));
        _signedByPasskey(account, _signerOf(OTHER_PASSKEY), OTHER_PASSKEY);
        assertTrue(_owns(account, vm.addr(NEW_OWNER_KEY)), "owner");
    }

    function test_firstPasskey() public {
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        address safe = _createPasskeySafe(x, y, _verifiers());
        _enable(safe);
        _signedByPasskey(safe, sharedSigner, PASSKEY);
        assertTrue(_owns(safe, vm.addr(NEW_OWNER_KEY)), "owner");
    }

    function test_recovery() public {
        _setGuardians(_guardians());
        Owner[] memory owners = _only(_passkey(OTHER_PASSKEY));
        _start(owners);
        vm.warp(block.timestamp + DELAY);
        ownership.executeRecovery(account, owners, 1);
        assertEq(IOwnedSafe(account).getOwners().length, 1, "only the new owner");
        assertTrue(_owns(account, _signerOf(OTHER_PASSKEY)), "new owner");
    }

    function _signedByPasskey(address safe, address signer, uint256 key) private {
        bytes memory data = abi.encode(_eoa(NEW_OWNER_KEY));
        uint64 sequence = ownership.stateOf(safe).sequence;
        bytes32 hash = ownership.changeHash(safe, sequence, ADD, data);
        bytes memory signature =
            _signWithPasskey(signer, OTHER_PASSKEY == key ? PASSKEY : OTHER_PASSKEY, hash);
        vm.expectRevert(bytes("GS024"));
        ownership.applyChange(safe, sequence, ADD, data, signature);
        ownership.applyChange(safe, sequence, ADD, data, _signWithPasskey(signer, key, hash));
    }
}

/// @notice Accounts whose check of signatures is not known. A Safe without fallback handler answers a function that it
/// does not have with success: Safe 1.2.0 and earlier have no `checkSignatures` of this form.
contract OtherVersionsTest is OwnershipTest {
    function test_error_UnsupportedAccount_version() public {
        string[5] memory versions = ["1.2.0", "1.3.0", "1.4.0", "1.6.0", ""];
        for (uint256 i; i < versions.length; ++i) {
            _refused(address(new OtherSafe(versions[i])));
        }
    }

    function test_error_withoutVersion() public {
        address safe = address(new SafeWithoutVersion());
        vm.expectRevert();
        ownership.applyChange(safe, 0, CANCEL, "", "");
    }

    function _refused(address safe) private {
        bytes memory reason = abi.encodeWithSelector(IOwnership.UnsupportedAccount.selector, safe);
        vm.expectRevert(reason);
        ownership.applyChange(safe, 0, CANCEL, "", "");
        GuardianSet memory none = GuardianSet(new address[](0), 0, 0);
        vm.expectRevert(reason);
        ownership.startRecovery(safe, 0, 1, _only(_eoa(NEW_OWNER_KEY)), 1, none, new GuardianSignature[](0));
        vm.expectRevert(reason);
        ownership.executeRecovery(safe, _only(_eoa(NEW_OWNER_KEY)), 1);
    }
}

contract SafeWithoutVersion {
    function getThreshold() external pure returns (uint256) {
        return 1;
    }

    function isModuleEnabled(address) external pure returns (bool) {
        return true;
    }

    /// @dev FallbackManager without a handler.
    fallback() external {}
}

contract OtherSafe is SafeWithoutVersion {
    string public VERSION;

    constructor(string memory version) {
        VERSION = version;
    }
}
